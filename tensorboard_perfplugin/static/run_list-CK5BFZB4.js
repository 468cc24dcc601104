import{a}from"./chunk-ZWO54QVG.js";import"./chunk-IS4TDEEH.js";import"./chunk-BD7MF4QU.js";import"./chunk-OAAMVMTT.js";import"./chunk-PFRC5W4Q.js";export{a as RunList};

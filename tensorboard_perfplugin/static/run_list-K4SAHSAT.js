import{a}from"./chunk-KM5Y7FMA.js";import"./chunk-VVJOISAM.js";import"./chunk-QGMKYSWC.js";import"./chunk-QPIL2PZQ.js";import"./chunk-IUQ4JB3Q.js";export{a as RunList};

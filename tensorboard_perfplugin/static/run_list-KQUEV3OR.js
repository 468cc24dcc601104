import{a}from"./chunk-DIZ4PP56.js";import"./chunk-Z5UG7XV5.js";import"./chunk-XVKTXVFQ.js";import"./chunk-76ZFJKFS.js";import"./chunk-VOG7KNZJ.js";import"./chunk-2OOVLSUQ.js";export{a as RunList};

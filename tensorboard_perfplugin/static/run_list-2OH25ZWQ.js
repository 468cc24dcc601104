import{a}from"./chunk-2TBXN5L6.js";import"./chunk-DR6UPNLK.js";import"./chunk-77YZA4X4.js";import"./chunk-IE53ECHZ.js";import"./chunk-VIR7E2M3.js";export{a as RunList};

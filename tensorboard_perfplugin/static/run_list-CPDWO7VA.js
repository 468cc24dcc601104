import{a}from"./chunk-ZLSLTKAV.js";import"./chunk-WISOEFBX.js";import"./chunk-VBP6NV6Y.js";import"./chunk-NRZ6YCH6.js";import"./chunk-EPVLDDVL.js";export{a as RunList};

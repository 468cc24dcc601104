function r({selection:e,navigate:t},o){t({params:{...e.params,...o}},"replace")}export{r as a};

function l(){return null}export{l as FileView};

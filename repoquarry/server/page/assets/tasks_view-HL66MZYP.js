function n(){return null}export{n as TasksView};

"""What the solver found: call sites, dispatch, edges."""

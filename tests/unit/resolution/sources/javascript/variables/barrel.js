export { default } from './store';
// ^ uses: store.Store

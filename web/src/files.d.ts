declare module "*.css";
declare module "cookbook" {
  const recipes: readonly { readonly title: string; readonly query: string }[];
  export default recipes;
}

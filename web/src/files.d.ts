declare module "*.css";
declare module "cookbook" {
  const topics: readonly { readonly topic: string; readonly recipes: readonly { readonly title: string; readonly query: string }[] }[];
  export default topics;
}

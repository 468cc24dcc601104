declare module "virtual:pages" {
  export const PAGES: Readonly<Record<string, import("./page").PageModule>>;
}

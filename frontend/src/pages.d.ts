declare module "virtual:pages" {
  export const PAGES: Readonly<Record<string, () => Promise<import("./page").PageModule>>>;
}

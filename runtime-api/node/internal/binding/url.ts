import { realm } from "../realm.ts";

/** Node's parser throws and fills a shared array here; what `url.format` needs of it is done by URL itself. */
export function format(href: string, hash: boolean, unicode: boolean, search: boolean, auth: boolean): string {
  const url = new realm.URL(href);
  if (!hash) url.hash = "";
  if (!search) url.search = "";
  if (!auth) {
    url.username = "";
    url.password = "";
  }
  void unicode;
  return url.href;
}

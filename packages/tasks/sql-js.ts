import initSqlJs from "sql.js";
import wasm from "sql.js/dist/sql-wasm.wasm";

export const NAME = "sql_js";
export const DESCRIPTION =
  "A SQLite database in memory: a table, a join with a window function, a function of its own, exported and opened again.";

export async function run() {
  const SQL = await initSqlJs({ wasmBinary: wasm });
  const db = new SQL.Database();
  db.run(
    "create table tea (id integer primary key, name text, price real); insert into tea (name, price) values ('green', 2.5), ('black', 3), ('mint', 4)",
  );
  db.create_function("shout", (text: string) => text.toUpperCase());
  const [ranked] = db.exec("select shout(name), rank() over (order by price desc) from tea where price > ? order by 2", [2.6]);
  const again = new SQL.Database(db.export());
  const [counted] = again.exec("select count(*), sum(price) from tea");
  return { ranked: ranked.values, counted: counted.values };
}

// The rest of the lists of Home: a link to the query that shows all rows.
import type { JSX } from "preact";
import { counted } from "../format";
import { Link } from "../links";

export function More({ shown, total, noun, href }: { shown: number; total: number; noun: string; href: string }): JSX.Element | null {
  return total <= shown ? null : <p class="s"><Link href={href}>{counted(total - shown, `more ${noun}`)}</Link></p>;
}

/** Return a name as a string of Cypher. */
function quoted(name: string): string {
  return `'${name.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

export function entryPointQuery(repository: string): string {
  return `MATCH (n) WHERE n.repository = ${quoted(repository)} AND n.is_test = false AND n.entry_points IS NOT NULL
UNWIND n.entry_points AS entry_point
WITH n, entry_point WHERE NOT split(entry_point, ':')[0] IN ['test', 'suite', 'fixture']
RETURN n, entry_point ORDER BY entry_point, n.id`;
}

export function packageQuery(repository: string): string {
  return `MATCH (r:Repository {id: ${quoted(repository)}})-[d:DEPENDS_ON]->(p:Package)
RETURN p, d.requirement AS requirement ORDER BY p.id`;
}

export function documentQuery(repository: string): string {
  return `MATCH (d:Document {repository: ${quoted(repository)}})
RETURN d, d.path AS path ORDER BY path`;
}

// Links between views. Components ask this context for addresses, so that the static file can have none.
import { createContext, type ComponentChildren, type JSX } from "preact";
import { useContext } from "preact/hooks";
import { displayName, shortName } from "./format";
import { cutName, Text } from "./text";
import type { Entity } from "./v1/repoquarry/v1/entities_pb";

/** Encode a path for a URL; slashes stay. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":");
}

export interface Links {
  /** Address of an entity's own view; empty where there is none. */
  entity(entity: Entity): string;
  file(repository: string, path: string, line?: bigint): string;
  folder(repository: string, path: string): string;
  repository(repository: string): string;
  query(repository: string, query: string): string;
}

export const PAGE_LINKS: Links = {
  entity(entity) {
    if (entity.repository === "") return "";
    const root = `/r/${encodeURIComponent(shortName(entity.repository))}`;
    if (entity.label === "Repository") return root;
    if (entity.label === "Folder") return `${root}/map/${encodePath(entity.path)}`;
    if (entity.path === "") return "";
    if (entity.qualname === "" || entity.label === "File" || entity.label === "Module") return `${root}/f/${encodePath(entity.path)}`;
    return `${root}/s/${encodePath(entity.path)}::${encodeURIComponent(entity.qualname)}`;
  },
  file(repository, path, line) {
    const query = line !== undefined && line > 1n ? `?line=${line}` : "";
    return `/r/${encodeURIComponent(shortName(repository))}/f/${encodePath(path)}${query}`;
  },
  folder: (repository, path) => `/r/${encodeURIComponent(shortName(repository))}/map/${encodePath(path)}`,
  repository: (repository) => `/r/${encodeURIComponent(shortName(repository))}`,
  query: (repository, query) => `/query?in=${encodeURIComponent(shortName(repository))}&q=${encodeURIComponent(query)}`,
};

/** Links of the static file: every place is text. */
export const NO_LINKS: Links = { entity: () => "", file: () => "", folder: () => "", repository: () => "", query: () => "" };

export const LinkContext = createContext<Links>(PAGE_LINKS);

interface LinkProps {
  href: string;
  class?: string;
  title?: string;
  tabIndex?: number;
  children: ComponentChildren;
}

/** Link, or text where there is no address. */
export function Link({ href, children, class: name = "", ...rest }: LinkProps): JSX.Element {
  return href === "" ? <span class={name} {...rest}>{children}</span> : <a class={name} href={href} {...rest}>{children}</a>;
}

interface EntityLinkProps {
  entity: Entity;
  class?: string;
  name?: string;
  tabIndex?: number;
}

/** Name of an entity that opens its view. */
export function EntityLink({ entity, class: style = "", name, ...rest }: EntityLinkProps): JSX.Element {
  const shown = name ?? displayName(entity);
  const full = `${displayName(entity)} ${entity.path}${entity.startLine > 0n ? `:${entity.startLine}` : ""}`;
  return (
    <Link href={useContext(LinkContext).entity(entity)} class={`m el ${style}`} title={full} {...rest}>
      <Text text={cutName(shown)} />
    </Link>
  );
}

/** Place in a file that opens it there. */
export function PlaceLink(props: { repository: string; path: string; line: bigint; text: string; class?: string }): JSX.Element {
  const href = useContext(LinkContext).file(props.repository, props.path, props.line);
  return <Link href={href} class={`m el ${props.class ?? ""}`} title={`${props.path}:${props.line}`}><Text text={props.text} /></Link>;
}

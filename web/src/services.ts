// Clients of the services, and what their errors mean for a reader.
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { CodeService } from "./v1/repoquarry/v1/code_service_pb";
import { IndexService } from "./v1/repoquarry/v1/index_service_pb";
import { QueryService } from "./v1/repoquarry/v1/query_service_pb";
import { RepositoryService } from "./v1/repoquarry/v1/repository_service_pb";
import { TaskService } from "./v1/repoquarry/v1/task_service_pb";
import { ViewService } from "./v1/repoquarry/v1/view_service_pb";

const transport = createConnectTransport({ baseUrl: location.origin });

export const views = createClient(ViewService, transport);
export const code = createClient(CodeService, transport);
export const queries = createClient(QueryService, transport);
export const repositories = createClient(RepositoryService, transport);
export const tasks = createClient(TaskService, transport);
export const indexing = createClient(IndexService, transport);

/** Failure of a request in the words of the page. */
export interface Failure {
  readonly kind: "gone" | "signed-out" | "forbidden" | "not-found" | "refused";
  readonly title: string;
  readonly effect: string;
  readonly detail: string;
  /** What was not found: `repository`, `path` or `name`. */
  readonly missing?: string;
  /** Names that differ from the one that was not found by a typing error. */
  readonly nearest?: readonly string[];
}

/** Return the metadata of a failure: what was not found, and the nearest names. */
function metadata(failure: ConnectError): Readonly<Record<string, string>> {
  const infos = failure.details.flatMap((each) => ("debug" in each ? [each.debug as { metadata?: Record<string, string> } | undefined] : []));
  return infos[0]?.metadata ?? {};
}

function notFound(failure: ConnectError): Failure {
  const { kind = "name", value = "", nearest = "[]" } = metadata(failure);
  const known: unknown = JSON.parse(nearest);
  const names = Array.isArray(known) ? known.map(String) : [];
  const noun = kind === "repository" ? "No repository is called" : kind === "path" ? "No indexed file or folder is" : "Nothing is called";
  const effect = names.length > 0 ? "It may be one of these." : "Nothing that is indexed is called nearly so.";
  return { kind: "not-found", title: value === "" ? "Nothing has this name in the store." : `${noun} ${value}.`, effect, detail: failure.rawMessage, missing: kind, nearest: names };
}

export function describeFailure(error: unknown): Failure {
  const failure = ConnectError.from(error);
  const detail = failure.rawMessage;
  switch (failure.code) {
    case Code.Unauthenticated:
      return { kind: "signed-out", title: "This page needs a token.", effect: "The service answers only signed-in readers.", detail };
    case Code.PermissionDenied:
      return { kind: "forbidden", title: "Your token may not do this.", effect: "Ask whoever runs the service for the scope.", detail };
    case Code.NotFound:
      return notFound(failure);
    case Code.Unavailable:
    case Code.Unknown:
    case Code.DeadlineExceeded:
      return { kind: "gone", title: "The service does not answer.", effect: "What is shown stays readable.", detail };
    default:
      return { kind: "refused", title: "The service refused this request.", effect: "Nothing was changed.", detail };
  }
}

"""What frameworks call by themselves: the decorators and functions through which code is handed to them.

A table by the package that a decorator or function comes from and the last part, or the last two parts, of its dotted name, so that it
is the same whether a framework is outside the repository (`flask.Flask.route`) or is the repository (`flask.sansio.scaffold.Scaffold.route`),
and whatever re-exports it. Nothing is decided by a name alone: `unittest.mock.patch` is no route.
"""

from __future__ import annotations

from collections.abc import Mapping


def _kinds(route: str = "", command: str = "", hook: str = "", fixture: str = "") -> dict[str, str]:
    """Name -> kind, of names separated by white space."""
    named = {"route": route, "command": command, "hook": hook, "fixture": fixture}
    return {name: kind for kind, names in named.items() for name in names.split()}


_METHODS = "get post put delete patch head options trace"
_FLASK = _kinds(
    route=f"route websocket add_url_rule {_METHODS}",
    command="command group",
    hook="errorhandler app_errorhandler register_error_handler before_request after_request teardown_request before_app_request "
    "after_app_request teardown_app_request teardown_appcontext context_processor app_context_processor template_filter template_test "
    "template_global app_template_filter app_template_test app_template_global url_value_preprocessor url_defaults "
    "shell_context_processor connect connect_via user_loader request_loader",
)
_STARLETTE = _kinds(
    route=f"route api_route websocket websocket_route add_route add_api_route add_websocket_route Route WebSocketRoute APIRoute {_METHODS}",
    hook="on_event exception_handler add_exception_handler middleware add_event_handler",
)
_CELERY = _kinds(hook="task shared_task periodic_task connect")
_PYTEST = _kinds(fixture="fixture yield_fixture", hook="hookimpl")

FRAMEWORKS: Mapping[str, Mapping[str, str]] = {
    "aiohttp": _kinds(
        route=" ".join(f"web.{name} RouteTableDef.{name}" for name in ("route", "view", *_METHODS.split()))
        + " add_route add_get add_post add_put add_delete add_patch add_head add_view"
    ),
    "apscheduler": _kinds(hook="scheduled_job add_job"),
    "asyncio": _kinds(hook="add_signal_handler add_reader add_writer add_done_callback"),
    "atexit": _kinds(hook="register"),
    "blinker": _kinds(hook="connect connect_via"),
    "bottle": _kinds(route=f"route error {_METHODS}", hook="hook"),
    "celery": _CELERY,
    "click": _kinds(command="command group", hook="result_callback"),
    "dash": _kinds(hook="callback"),
    "discord": _kinds(command="command", hook="event listen"),
    "django": _kinds(
        route="urls.path urls.re_path urls.url conf.path conf.re_path conf._path",
        hook="receiver connect register Library.tag Library.filter Library.simple_tag Library.simple_block_tag Library.inclusion_tag "
        "register_lookup",
    ),
    "dramatiq": _kinds(hook="actor"),
    "fastapi": _STARLETTE,
    "flask": _FLASK,
    "flask_login": _FLASK,
    "huey": _kinds(hook="task periodic_task"),
    "invoke": _kinds(command="task"),
    "litestar": _kinds(route=f"route websocket {_METHODS}"),
    "ninja": _kinds(route=f"api_operation {_METHODS}", hook="exception_handler"),
    "nox": _kinds(command="session"),
    "pluggy": _kinds(hook="HookimplMarker"),
    "prefect": _kinds(hook="flow task"),
    "pydispatch": _kinds(hook="connect"),
    "pyramid": _kinds(route="view_config add_view", hook="subscriber add_subscriber"),
    "pytest": _PYTEST,
    "_pytest": _PYTEST,
    "pytest_asyncio": _PYTEST,
    "quart": _FLASK,
    "rest_framework": _kinds(route="api_view action register"),
    "rq": _kinds(hook="job"),
    "sanic": _kinds(route=f"route websocket add_route {_METHODS}", hook="listener middleware exception"),
    "scrapy": _kinds(hook="connect"),
    "signal": _kinds(hook="signal"),
    "socketio": _kinds(hook="on event"),
    "sqlalchemy": _kinds(hook="listens_for listen"),
    "starlette": _STARLETTE,
    "tornado": _kinds(route="url URLSpec", hook="add_done_callback add_handler add_future"),
    "typer": _kinds(command="command callback"),
}

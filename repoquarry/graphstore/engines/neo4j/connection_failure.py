"""Causes of failed connections to Neo4j, which the driver hides behind its routing and its handshake, with their remedies."""

from __future__ import annotations

import ssl

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from repoquarry.graphstore.errors import EngineUnavailableError
from repoquarry.graphstore.settings import StoreSettings


def explain_connection_failure(failure: Exception, settings: StoreSettings) -> EngineUnavailableError:
    """Return the error for a connection that failed, with the innermost cause."""
    scheme = settings.neo4j_uri.partition("://")[0]
    if scheme.startswith("neo4j"):  # Routing drops the cause; a direct connection to the same address keeps it.
        failure = _connect_directly(settings) or failure
    cause = _innermost(failure)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return EngineUnavailableError(
            f"the certificate of Neo4j at {settings.neo4j_uri} is not trusted: {cause.verify_message}; name the file of its "
            f"authority in SSL_CERT_FILE, or trust any certificate by {scheme.partition('+')[0]}+ssc://"
        )
    if isinstance(cause, ssl.SSLError):
        return EngineUnavailableError(
            f"the port of {settings.neo4j_uri} does not speak TLS: {cause.reason}; use {scheme.partition('+')[0]}://"
        )
    if "+" not in scheme and "handshake" in str(failure):
        return EngineUnavailableError(
            f"{settings.neo4j_uri} closed the connection during the handshake; if the server requires TLS, use {scheme}+s://"
        )
    return EngineUnavailableError(f"Neo4j does not respond: {failure}")


def _connect_directly(settings: StoreSettings) -> Exception | None:
    """Return the failure of a connection without routing; None if it succeeds."""
    uri = settings.neo4j_uri.replace("neo4j", "bolt", 1)
    auth = (settings.neo4j_user, settings.neo4j_password) if settings.neo4j_user else None
    try:
        with neo4j.GraphDatabase.driver(uri, auth=auth, connection_timeout=settings.neo4j_connect_seconds) as driver:
            driver.verify_connectivity()
    except (DriverError, Neo4jError, OSError) as exc:
        return exc
    return None


def _innermost(failure: BaseException) -> BaseException:
    while failure.__cause__ is not None:
        failure = failure.__cause__
    return failure

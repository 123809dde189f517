"""What a running service tells its operators: numbers for Prometheus and traces over OTLP. Needs the extra `telemetry`."""

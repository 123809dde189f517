"""The process between the service and a command: it gives up what the command may not have, then becomes the command."""

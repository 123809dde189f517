"""Reading the stored graph as code: what names mean, who calls whom, which ways lead where, and what constants are set to."""

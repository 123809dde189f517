"""What can be set."""

PAYMENT_TIMEOUT = 20  # seconds that the bank may take
PAYMENT_CURRENCY = "EUR"
SESSION_LIFETIME = 60 * 60

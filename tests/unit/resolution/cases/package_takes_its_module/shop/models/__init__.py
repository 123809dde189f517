from shop.models import signals

"""What the jobs do. `thumbnail` and `export` may safely run twice. `email` may not: a customer
who gets an invoice twice complains."""

import time


def thumbnail(payload):
    time.sleep(0.2)


def email(payload):
    time.sleep(0.1)


def export(payload):
    time.sleep(5)


HANDLERS = {"thumbnail": thumbnail, "email": email, "export": export}

"""A mail server with STARTTLS and a login, for tests/parts/up: PORT FOLDER; letters are kept one a file."""

import itertools
import ssl
import sys
import threading
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

port, folder = int(sys.argv[1]), Path(sys.argv[2])
numbers = itertools.count(1)


class Keep:
    async def handle_DATA(self, server, session, envelope):
        (folder / "letters" / f"{next(numbers):04}").write_bytes(envelope.content)
        return "250 kept"


def login(server, session, envelope, mechanism, data):
    # A refusal that counts as handled is never answered.
    return AuthResult(success=(data.login, data.password) == (b"joe", b"right"), handled=False)


context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
Controller(
    Keep(), hostname="127.0.0.1", port=port, tls_context=context,
    require_starttls=True, auth_required=True, authenticator=login,
).start()
threading.Event().wait()

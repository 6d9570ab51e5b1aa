"""Makes a container in an Azure blob emulator, for tests/parts/up: ADDRESS CONTAINER."""

import base64
import hashlib
import hmac
import sys
import urllib.request
from email.utils import formatdate

# The account and key that every emulator has, from its documentation.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

address, container = sys.argv[1:]
headers = {"x-ms-date": formatdate(usegmt=True), "x-ms-version": "2021-12-02"}
signed = "".join(f"{name}:{value}\n" for name, value in sorted(headers.items()))
text = "PUT" + "\n" * 12 + f"{signed}/{ACCOUNT}/{ACCOUNT}/{container}\nrestype:container"
signature = base64.b64encode(hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()).decode()
request = urllib.request.Request(f"{address}/{ACCOUNT}/{container}?restype=container", method="PUT", headers=headers)
request.add_header("Authorization", f"SharedKey {ACCOUNT}:{signature}")
urllib.request.urlopen(request).read()

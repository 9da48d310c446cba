"""`squall watch`: shows runs as a web page, during the run or afterwards.

A server on this machine (Starlette, uvicorn) reads only what runs have published. It never writes, and the
model does not depend on it. The page's source is in `web/`, what is made of it in `static/`.
"""

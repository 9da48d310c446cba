"""`squall watch`: a web page of runs, while they compute or afterwards.

A server on this machine (Starlette, uvicorn) reads what runs have published, and nothing else: it never
writes, and the model does not know of it. The page's source is in `web/`, what is made of it in `static/`.
"""

"""Serves a sentence transformer on loopback, as OpenAI's embeddings: what a remote embedder would bring, measured here.

    python serve.py --folder FOLDER [--port 8931]
    npm run bench:quality -- --brief --embedder-url http://127.0.0.1:8931/v1 --embedder-model NAME --dimensions N \
        --max-input-tokens N --relevance-weight 0.5
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from transformer import SentenceTransformer


def handler(model: SentenceTransformer) -> type[BaseHTTPRequestHandler]:
    class Embeddings(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            texts = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
            vectors = model.encode([texts] if isinstance(texts, str) else texts)
            data = [{"object": "embedding", "index": index, "embedding": vector.tolist()} for index, vector in enumerate(vectors)]
            body = json.dumps({"object": "list", "data": data}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing: texts and their sizes are nobody's business."""

    return Embeddings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="of the model, as published")
    parser.add_argument("--port", type=int, default=8931)
    options = parser.parse_args()
    model = SentenceTransformer(options.folder)
    print(f"http://127.0.0.1:{options.port}/v1: {model.dimensions} dimensions, {model.max_tokens} tokens", flush=True)
    HTTPServer(("127.0.0.1", options.port), handler(model)).serve_forever()


if __name__ == "__main__":
    main()

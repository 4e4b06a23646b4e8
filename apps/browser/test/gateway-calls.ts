import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { DescService } from "@bufbuild/protobuf";
import type { Gateway } from "../src/gateway/index.ts";

/** Calls through a gateway as the page makes them. */
export async function gatewayCalls<Service extends DescService>(
  service: Service,
  gateway: Gateway,
): Promise<Client<Service>> {
  const [address = "", token = ""] = gateway.createLink().split("/#t=");
  const opened = await fetch(`${address}/session`, { method: "POST", body: JSON.stringify({ token }) });
  const { session } = (await opened.json()) as { session: string };
  const transport = createConnectTransport({
    baseUrl: `${address}/api`,
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${session}`);
        return next(request);
      },
    ],
  });
  return createClient(service, transport);
}

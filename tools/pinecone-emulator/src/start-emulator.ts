import { ControlPlane } from "./control-plane.ts";
import { type HttpListener, listenOnLoopback, type ReceivedRequest } from "./http-listener.ts";
import type { EmulatedRequest, FaultPlan, InjectedFault } from "./injected-fault.ts";

export interface PineconeEmulatorOptions {
  /** Milliseconds from a write until reads see it. Default 0. */
  readonly visibilityDelay?: number | undefined;
  /** Which requests fail. Default none. */
  readonly faults?: FaultPlan | undefined;
}

export interface PineconeEmulator extends AsyncDisposable {
  /** For the SDK's `controllerHostUrl`. */
  readonly controllerUrl: string;
  readonly apiKey: string;
  /** Every request so far. */
  readonly requests: readonly EmulatedRequest[];
  /** From now on other requests fail, or none. */
  failWith(faults: FaultPlan | undefined): void;
}

/** Starts a control plane, and a server for each index that is made through it. All is gone when it is disposed. */
export async function startPineconeEmulator(options: PineconeEmulatorOptions = {}): Promise<PineconeEmulator> {
  const apiKey = "pcsk_emulated";
  const requests: EmulatedRequest[] = [];
  let faults = options.faults;
  const faultOf = ({ method, url }: ReceivedRequest): InjectedFault | undefined => {
    const request = { method, path: url.pathname, number: requests.length + 1 };
    requests.push(request);
    return faults?.(request);
  };
  const listen = (handle: Parameters<typeof listenOnLoopback>[0]["handle"]): Promise<HttpListener> =>
    listenOnLoopback({ apiKey, faultOf, handle });
  const indexes = new ControlPlane(listen, options.visibilityDelay ?? 0);
  const controller = await listen((request) => indexes.handle(request));
  return {
    controllerUrl: controller.url,
    apiKey,
    requests,
    failWith: (plan) => {
      faults = plan;
    },
    [Symbol.asyncDispose]: async () => {
      await controller.close();
      await indexes.close();
    },
  };
}

import type { Call } from "../call.ts";
import { describe } from "../failure.ts";
import { installTimers } from "../timers.ts";
import { installBase64 } from "./base64.ts";
import { installBlob } from "./blob.ts";
import { installStructuredClone } from "./clone/structured-clone.ts";
import { installConsole } from "./console.ts";
import { installDomException } from "./dom-exception.ts";
import { installEncoding } from "./encoding.ts";
import { installEvents } from "./event.ts";
import { installEventTarget, reportListenerErrors } from "./event-target.ts";
import { installFetch } from "./fetch.ts";
import { installFormData } from "./form-data.ts";
import { installHeaders } from "./headers.ts";
import { installReplaceable, installOperations } from "./interface.ts";
import { installNavigator } from "./navigator.ts";
import { installPerformance } from "./performance.ts";
import { installRequest } from "./request.ts";
import { installResponse } from "./response.ts";
import { installSignals } from "./signal.ts";
import { installStreams } from "./streams.ts";
import { installTransformStreams } from "./transform-streams.ts";
import { installUrlPattern } from "./url-pattern.ts";
import { installUrl } from "./url/url.ts";

/**
 * Puts the web's common platform on the global object: what an isolate, which brings ECMAScript alone, lacks. Everything
 * of it is made in the guest's own realm; what is asked of the host or the keeper is text and bytes.
 */
export function installWeb(target: object, currentCall: () => Call | undefined): void {
  const report = (error: unknown): void => currentCall()?.log("error", [describe(error, 1)]);
  installDomException(target);
  installConsole(target, currentCall);
  const { setTimeout } = installTimers(target, currentCall);
  reportListenerErrors(report);
  installEvents(target);
  installEventTarget(target);
  installSignals(target, setTimeout);
  installPerformance(target);
  installNavigator(target);
  installBase64(target);
  installStructuredClone(target);
  installEncoding(target);
  installUrl(target);
  installUrlPattern(target);
  installStreams(target);
  installTransformStreams(target);
  installBlob(target);
  installFormData(target);
  installHeaders(target);
  installRequest(target);
  installResponse(target);
  installFetch(target, currentCall);
  installOperations(target, {
    reportError(error: unknown) {
      report(error);
    },
  });
  installReplaceable(target, "self", () => target);
}

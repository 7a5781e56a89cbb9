import type { Dispatcher } from 'undici'

/** A controller that knows whether its request has left the process. */
export interface RequestController extends Dispatcher.DispatchController {
  /** All bytes of the request were passed to the system. */
  readonly isRequestSent: boolean
}

/** `undefined`: the controller is one of undici's, which tell the handler by `onRequestSent`. */
export function isRequestSent(controller: Dispatcher.DispatchController): boolean | undefined {
  return 'isRequestSent' in controller ? controller.isRequestSent === true : undefined
}

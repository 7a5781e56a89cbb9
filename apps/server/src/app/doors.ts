import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import type { Store } from '@tollgate/store/open-store'
import { openHumanCheck } from '../services/human-check/human-check.ts'
import { type DoorAddresses, doorAddresses } from '../services/oauth/addresses.ts'
import { isDoorOpen } from '../services/oauth/doors.ts'
import type { DoorLog } from '../services/oauth/services.ts'
import { isSwitchedOn } from '../services/option/switched-on.ts'
import type { Options } from '../services/services.ts'

export interface DoorParts {
  readonly store: Store
  readonly clock: Clock
  readonly egress: Egress
  readonly settings: Options
  readonly log: DoorLog
  /** Counterparts of a test. */
  readonly doors: DoorAddresses | undefined
}

/** What signing in needs beyond the ordinary: the ways to the providers, and the check for people. */
export function openDoors({ store, clock, egress, settings, log, doors = doorAddresses }: DoorParts) {
  const humanCheck = openHumanCheck({
    options: settings,
    egress,
    store: store.db,
    clock,
    verifyAddress: doors.turnstile,
    log,
  })
  return { humanCheck, doorAddresses: doors, log }
}

/** Pages may load the widgets of what is switched on, and of nothing else. */
export function widgetOrigins(options: Options): readonly string[] {
  return [
    ...(isSwitchedOn(options, 'TurnstileCheckEnabled') ? ['https://challenges.cloudflare.com'] : []),
    ...(isDoorOpen(options, 'telegram') ? ['https://telegram.org'] : []),
  ]
}

import { flag, seconds, whole } from './kinds.ts'
import type { Setting } from './kinds.ts'

/** How often one address may call the console, its API and what can be guessed. */
export const rateSettings = {
  isApiLimited: flag({
    name: 'GLOBAL_API_RATE_LIMIT_ENABLE',
    default: true,
    help: 'Limits /api per client address.',
  }),
  apiLimit: whole({
    name: 'GLOBAL_API_RATE_LIMIT',
    default: 180,
    min: 1,
    max: 1_000_000,
    help: 'Calls of one address to /api per window.',
  }),
  apiLimitMs: seconds({
    name: 'GLOBAL_API_RATE_LIMIT_DURATION',
    default: 180,
    min: 1,
    max: 86_400,
    help: 'Window of the /api limit.',
  }),
  isWebLimited: flag({
    name: 'GLOBAL_WEB_RATE_LIMIT_ENABLE',
    default: true,
    help: 'Limits pages, unknown paths and files per client address. Hashed console files are not counted.',
  }),
  webLimit: whole({
    name: 'GLOBAL_WEB_RATE_LIMIT',
    default: 600,
    min: 1,
    max: 1_000_000,
    help: 'Pages and files per window; 60 in the new-api family.',
  }),
  webLimitMs: seconds({
    name: 'GLOBAL_WEB_RATE_LIMIT_DURATION',
    default: 180,
    min: 1,
    max: 86_400,
    help: 'Window of the limit for pages and files.',
  }),
  criticalLimit: whole({
    name: 'CRITICAL_RATE_LIMIT',
    default: 20,
    min: 1,
    max: 1_000_000,
    help: 'Sign-ins, registrations and other guessable calls of one address in 20 minutes.',
  }),
} as const satisfies Record<string, Setting>

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { buildPriceBook } from '@tollgate/billing/price-book'
import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { parsePriceOptions } from '@tollgate/billing/price-options'
import { modelLimits } from '@tollgate/billing/model-limits'
import type { Reading, UpstreamError } from '@tollgate/dialects/dialect'
import { readAsk } from '@tollgate/dialects/ask'
import { conversations } from '@tollgate/dialects/conversations'
import { ManualClock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import { defaultChannelSettings } from '@tollgate/providers/channel-settings'
import { defaultClaudeOptions } from '@tollgate/providers/claude-options'
import { defaultGeminiOptions } from '@tollgate/providers/gemini-options'
import type { Provider } from '@tollgate/providers/provider'
import type { OwnerEntry, RosterChannel, TokenEntry } from '../../src/snapshots/snapshots.ts'
import type { RelaySettings } from '../../src/snapshots/relay-settings.ts'
import { Call } from '../../src/relay/call.ts'
import { chat } from '../../src/relay/operations/index.ts'
import type { Held } from '../../src/relay/stations/hold/held.ts'

/** Small complete fixtures for unit tests of the relay stations; a test sets only the members it is about. */

const provider: Provider = {
  id: 'custom',
  type: 1,
  label: 'Test',
  credentials: { hint: '', check: () => undefined },
  authHeaders: () => ({}),
  endpoints: {},
  models: [],
}

export function channelWith(parts: Partial<RosterChannel> = {}): RosterChannel {
  return {
    id: 1,
    name: 'one',
    type: 1,
    provider,
    status: 1,
    priority: 0,
    weight: 0,
    baseUrl: 'http://upstream.test',
    keys: ['key-0'],
    disabledKeys: new Set(),
    other: '',
    organization: '',
    createdTime: 0,
    groups: ['default'],
    models: ['gpt-4o'],
    modelPrefix: '',
    modelMapping: new Map(),
    statusMapping: new Map(),
    headerRules: [],
    parameterOverride: undefined,
    settings: defaultChannelSettings,
    costs: undefined,
    isAutoBan: true,
    testModel: '',
    ...parts,
  }
}

export function settingsWith(parts: Partial<RelaySettings> = {}): RelaySettings {
  return {
    retryTimes: 0,
    preConsumedQuota: 500,
    holdMode: 'metered',
    isStrictFitting: false,
    overdraftFactor: 2n,
    isSelfUse: false,
    members: { unknownByGroup: new Map(), harmless: new Map() },
    isAutomaticDisable: false,
    automaticDisableKeywords: [],
    isConsumptionLogged: true,
    keptCharactersMax: undefined,
    isUpstreamErrorHidden: false,
    isPassThrough: false,
    pingIntervalMs: undefined,
    isBrowserExtensionBlocked: false,
    affinity: undefined,
    sockets: { perUser: 200, withoutBalance: 4 },
    responsesSocket: { connectionsMax: 100, idleMs: 900_000 },
    tasks: {
      serverAddress: '',
      passesNotices: false,
      passesAccountFilter: false,
      clearsModes: false,
      forwardsImages: true,
      followsOnlySuccess: true,
    },
    claude: defaultClaudeOptions,
    gemini: defaultGeminiOptions,
    refusedWords: undefined,
    autoGroups: [],
    callLimits: undefined,
    figures: { isTokenShown: true, unitsPerCurrency: 500_000 },
    costReport: 'off',
    quotaPerUnit: '500000',
    ...parts,
  }
}

export function ownerWith(parts: Partial<OwnerEntry> = {}): OwnerEntry {
  return {
    id: 1,
    username: 'alice',
    role: 1,
    status: 1,
    isDeleted: false,
    group: 'default',
    acceptsUnpricedModels: false,
    hasPaid: true,
    ...parts,
  }
}

export function tokenWith(parts: Partial<TokenEntry> = {}): TokenEntry {
  return {
    id: 1,
    name: 'cli',
    status: 1,
    expiredTime: -1,
    isUnlimited: true,
    models: undefined,
    addresses: undefined,
    group: '',
    groupOrder: [],
    triesNextGroup: false,
    limits: undefined,
    owner: ownerWith(),
    preview: 'abc***xyz',
    ...parts,
  }
}

export const defaultPrices = buildPriceBook(parsePriceOptions(defaultPriceOptions), 1)

/** Request and response objects without a peer. */
export function silentCall(clock = new ManualClock()): Call {
  const request = new IncomingMessage(new Socket())
  request.url = '/v1/chat/completions'
  const dialect = conversations.chat.caller
  return new Call({ request, response: new ServerResponse(request), clock, isCrossOrigin: true, dialect })
}

/**
 * A held chat call with gpt-4o: ratio 1.25, completion ratio 4, so 1.25 units an input token and 5 an output
 * token.
 */
export function heldWith(parts: Partial<Held> = {}): Held {
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], stream: true }
  const price = defaultPrices.find({ model: 'gpt-4o', group: 'default', acceptsUnpriced: false })
  invariant(price, 'gpt-4o has a price')
  return {
    call: silentCall(),
    operation: chat,
    caller: { owner: ownerWith(), token: tokenWith(), pinned: undefined, address: '127.0.0.1' },
    ask: readAsk('chat', Buffer.from(JSON.stringify(body))),
    uncounted: undefined,
    namedModels: [],
    group: 'default',
    candidates: { model: 'gpt-4o', tiers: [[channelWith()]] },
    fallbacks: [],
    prices: defaultPrices,
    settings: settingsWith(),
    price,
    units: 2_625n,
    ceiling: 100_000n,
    bounds: {
      limits: modelLimits('gpt-4o'),
      inputTokensCounted: 100,
      choices: 1,
    },
    holdMs: 1,
    ...parts,
  }
}

export function readingWith(parts: Partial<Reading> = {}): Reading {
  return {
    usage: undefined,
    finish: { reason: 'stop', raw: 'stop' },
    outputTokensCounted: 0,
    hasOutput: true,
    isComplete: true,
    error: undefined,
    ...parts,
  }
}

export function upstreamError(parts: Partial<UpstreamError> = {}): UpstreamError {
  return { status: 500, message: 'no', type: 'server_error', code: '', param: null, raw: undefined, ...parts }
}

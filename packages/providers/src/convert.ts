import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import { withoutBillingHeader } from '@tollgate/dialects/canonical/billing-header'
import { DroppedMembers, droppedExtras, droppedFeatures } from '@tollgate/dialects/canonical/dropped'
import { rewriteAsText } from '@tollgate/dialects/canonical/rewrite-as-text'
import { features, refusedFeature } from '@tollgate/dialects/canonical/feature'
import type { NamedCodec } from '@tollgate/dialects/canonical/codec'
import { omitUndefined } from '@tollgate/dialects/canonical/omit-undefined'
import { vendorBoundPart } from '@tollgate/dialects/canonical/vendor-bound'
import { joinRepairs, type RepairName } from '@tollgate/dialects/canonical/repairs'
import { portableTools, type OriginalTools } from '@tollgate/dialects/canonical/portable-tools'
import { PLAIN_TOOL_NAME } from '@tollgate/dialects/canonical/tool-name'
import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { traitsOf } from '@tollgate/dialects/traits/lookup'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import { sharedTextLimit } from '@tollgate/dialects/json-limits'
import { problem } from '@tollgate/problems/problem'
import { unsignedCalls, withSignatures } from './define/call-signatures.ts'
import { checkMedia, withMedia } from './define/media.ts'
import type { Found, Needs } from './define/needs.ts'
import { withoutRefused, withoutSearch } from './fit/refused.ts'
import { withAnsweredCalls } from './repair/answered-calls.ts'
import { withContinuation } from './repair/continued-answer.ts'
import { withPropertyNames } from './repair/property-names.ts'
import { withToolSchemas } from './repair/tool-schemas.ts'
import { withWholeArguments, withWholeTexts } from './repair/well-formed.ts'

export interface Conversion {
  readonly asked: ConversationOperation
  readonly codec: NamedCodec
  readonly body: JsonObject
  readonly model: string
  /** The traits of the model; looked up by the model's name when absent. */
  readonly traits?: ModelTraits | undefined
  /** The upstream has no web search of its own. */
  readonly isWithoutSearch?: boolean | undefined
  readonly isStream: boolean
  readonly outputTokensDefault: number
}

/** A request that was read and adapted, to be written once its needs were looked up. */
export interface OpenConversion {
  readonly needs: Needs
  readonly write: (found?: Found) => Converted
}

export interface Converted {
  readonly body: JsonObject
  /** Names of the request members that were left out. */
  readonly dropped: readonly string[]
  /** What was changed, for the log. */
  readonly repairs: readonly RepairName[]
  /**
   * Tools that were renamed or changed for the upstream. Their calls have to be converted back for the
   * client.
   */
  readonly originalTools: OriginalTools
}

/**
 * Converts the body of a request from the client's API format to the upstream's, in two parts. Throws a
 * problem for a body that is invalid in the client's format, and for content that the upstream's format
 * cannot express and that would change the answer.
 */
export function openConversion(conversion: Conversion): OpenConversion {
  const { asked, codec } = conversion
  const dropped = new DroppedMembers()
  const withinLimit = sharedTextLimit()
  const { checked, originals, repairs } = withinLimit(() => {
    const read = acceptedConversation(conversion, dropped)
    const isSame = conversations[asked].caller.name === codec.name
    const { conversation, ...facts } = isSame
      ? { conversation: read, originals: NO_ORIGINALS, repairs: [] }
      : translated(read, conversion, dropped)
    return { checked: checkMedia(conversation, codec), ...facts }
  })
  const { conversation, addresses } = checked
  return {
    needs: { addresses, callIds: codec.name === 'gemini' ? unsignedCalls(conversation) : [] },
    write: ({ media, signatures } = {}) =>
      withinLimit(() => {
        const signed = withSignatures(conversation, signatures)
        const draft = written(withMedia(signed, codec, media), conversion, dropped)
        const body = withWholeTexts(draft)
        const allRepairs = joinRepairs(repairs, body === draft ? [] : ['whole_characters'])
        return { body, dropped: dropped.names, repairs: allRepairs, originalTools: originals }
      }),
  }
}

/** Reads the client's conversation and removes what the model refuses. */
function acceptedConversation(conversion: Conversion, dropped: DroppedMembers): Conversation {
  const { asked, body, model, isStream, isWithoutSearch = false } = conversion
  const read = conversations[asked].caller.readConversation(body, { model, isStream })
  const taken = withoutRefused({ ...read, model, isStream }, traitsFor(conversion), dropped)
  return isWithoutSearch ? withoutSearch(taken, dropped) : taken
}

function traitsFor({ model, traits = traitsOf(model) }: Conversion): ModelTraits {
  return traits
}

interface Translated {
  readonly conversation: Conversation
  readonly originals: OriginalTools
  readonly repairs: readonly RepairName[]
}

const NO_ORIGINALS: OriginalTools = new Map()

/**
 * Adapts a conversation to an upstream with another API format. Throws a problem for content it cannot
 * express.
 */
function translated(read: Conversation, conversion: Conversion, dropped: DroppedMembers): Translated {
  const { codec } = conversion
  const whole = withWholeArguments(read, dropped)
  const answered = withAnsweredCalls(whole)
  const continued = withContinuation(answered, findPrefillTraits(conversion))
  const rewritten = rewriteAsText(withoutBillingHeader(continued), codec.name)
  const schemed = withPropertyNames(withToolSchemas(rewritten, codec.name), codec.name)
  const { conversation, originals } = portableTools(schemed, {
    toolNames: codec.toolNames ?? PLAIN_TOOL_NAME,
    takesCustomTools: codec.takesCustomTools?.(traitsFor(conversion)) === true,
    dropped,
  })
  const refused = refusedFeature(conversation, codec.limits)
  if (refused !== undefined) throw problem('not_expressible', { feature: features[refused].words })
  const foreign = vendorBoundPart(conversation, codec.name)
  if (foreign !== undefined) throw foreign
  dropped.addAll(droppedFeatures(conversation, codec.limits))
  dropped.addAll(droppedExtras(conversation, codec.name))
  const repairs = joinRepairs(
    whole === read ? [] : ['whole_characters'],
    answered === whole ? [] : ['answered_calls'],
    continued === answered ? [] : ['continued_answer'],
    schemed === rewritten ? [] : ['tool_schemas'],
    originals.size === 0 ? [] : ['renamed_tools'],
    codec.writesCallsAsTexts?.(conversation) === true ? ['calls_as_texts'] : [],
  )
  return { conversation, originals, repairs }
}

/** A vendor's format may need the last turn to be the user's, whatever the table says of the model. */
function findPrefillTraits({ codec, model, ...conversion }: Conversion): ModelTraits {
  const traits = traitsFor({ codec, model, ...conversion })
  const isRefused = codec.refusesPrefill?.test(model) === true
  return isRefused && traits.prefill === undefined ? { ...traits, prefill: false } : traits
}

function written(conversation: Conversation, conversion: Conversion, dropped: DroppedMembers): JsonObject {
  const { codec, outputTokensDefault } = conversion
  const context = { outputTokensDefault, traits: traitsFor(conversion), dropped }
  // A channel's overrides ask which members are present, so unset ones must not be.
  return omitUndefined(codec.writeRequest(conversation, context))
}

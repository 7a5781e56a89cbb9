import { decimalText, multiply, scaledOf } from './decimal.ts'
import type { Decimal } from './price.ts'

/**
 * Built-in ratios for a model whose ratios are not set in the options. Options always win (see
 * docs/adr/0003).
 */
export interface DefaultRatios {
  readonly completion: Decimal
  readonly cache: Decimal
  readonly cacheWrite: Decimal
  readonly audio: Decimal
  readonly audioCompletion: Decimal
}

/** The first pattern that matches the model name wins. */
type Rules = readonly (readonly [RegExp, Decimal])[]

export function defaultRatios(model: string): DefaultRatios {
  return {
    completion: firstMatch(completionRules, model) ?? '1',
    cache: firstMatch(cacheRules, model) ?? '1',
    cacheWrite: '1.25',
    audio: firstMatch(audioRules, model) ?? '1',
    audioCompletion: audioRules.some(([pattern]) => pattern.test(model)) ? '2' : '1',
  }
}

/** A one-hour cache write costs 1.6 times a five-minute one. */
export function longCacheRatio(cacheWrite: Decimal): Decimal {
  return decimalText(multiply(scaledOf(cacheWrite), { digits: 16n, scale: 1 }))
}

function firstMatch(rules: Rules, model: string): Decimal | undefined {
  return rules.find(([pattern]) => pattern.test(model))?.[1]
}

const completionRules: Rules = [
  [/^gpt-.*(?:-all$|-gizmo-)/, '2'],
  [/^gpt-4o-mini-tts/, '20'],
  [/^gpt-4o-2024-05-13/, '3'],
  [/^gpt-4o/, '4'],
  [/^gpt-4\.1/, '4'],
  [/^gpt-4\.5-preview/, '2'],
  [/^gpt-4-turbo|gpt-4-110[56]$/, '3'],
  [/^gpt-4/, '2'],
  [/^gpt-5\.4-nano/, '6.25'],
  [/^gpt-5\./, '6'],
  [/^gpt-5/, '8'],
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, '3'],
  [/^gpt-3\.5.*1106$/, '2'],
  [/^gpt-3\.5/, '1.3333333333333333'],
  [/^gpt-/, '2'],
  [/^chatgpt-4o-latest/, '3'],
  [/^o[134]/, '4'],
  [/claude-3|claude-(?:sonnet|opus|haiku)-4/, '5'],
  [/claude-instant-1|claude-2/, '3'],
  [/^mistral-/, '3'],
  [/^gemini-2\.5-pro/, '8'],
  [/^gemini-2\.5-flash-lite/, '4'],
  [/^gemini-2\.5-flash-preview.*-nothinking$/, '4'],
  [/^gemini-2\.5-flash-preview/, '23.3333333333333333'],
  [/^gemini-2\.5-flash|^gemini-robotics-er-1\.5/, '8.3333333333333333'],
  [/^gemini-3-pro-image/, '60'],
  [/^gemini-3-pro/, '6'],
  [/^gemini/, '4'],
  [/^command-r$/, '3'],
  [/^command-r-plus$/, '5'],
  [/^command/, '4'],
  [/^deepseek-(?:chat|reasoner)$/i, '4'],
  [/^ERNIE-(?:Speed-|Lite-|Character|Functions)/, '2'],
  [/^llama2-70b-4096$/, '1.25'],
  [/^llama3-8b-8192$/, '2'],
  [/^llama3-70b-8192$/, '1.3389830508474576'],
]

/**
 * Cache-read discounts that vendors publish for a whole model family. They apply to dated model names too,
 * which would otherwise pay the full price for cached input.
 */
const cacheRules: Rules = [
  [/^(?:o\d|gpt-[45]).*-(?:pro|all|gizmo|audio|realtime)/, '1'],
  [/^gpt-4o-2024-05-13/, '1'],
  [/^gpt-4o|^gpt-4\.5-preview|^o1|^o3-mini/, '0.5'],
  [/^gpt-4\.1|^o[34]/, '0.25'],
  [/^gpt-5/, '0.1'],
  [/claude-3|claude-(?:sonnet|opus|haiku)-4/, '0.1'],
  [/^deepseek-(?:chat|reasoner|coder)$/i, '0.25'],
  [/^gemini-2\.[05]/, '0.25'],
]

/**
 * Ratio of audio input to text input. The newest models of a family are listed in the AudioRatio option
 * instead.
 */
const audioRules: Rules = [
  [/gpt-4o-realtime-preview-2024-12-17$/, '8'],
  [/-realtime.*mini|mini.*-realtime/, '16.6666666667'],
  [/-realtime/, '20'],
  [/gpt-4o-audio-preview-2024-12-17$/, '16'],
  [/-audio.*mini|mini.*-audio/, '66.6666666667'],
  [/^gpt-4o-audio/, '40'],
]

import type { TokenLogprob } from '../canonical/part.ts'
import { recordAt, recordsAt, type JsonObject } from '../json.ts'

type Chance = Omit<TokenLogprob, 'top'>

/**
 * Reads the log probabilities of a candidate or of its fragment: the chosen tokens, and for each the likeliest
 * ones. https://ai.google.dev/api/generate-content#LogprobsResult
 */
export function readTokenLogprobs(candidate: JsonObject): readonly TokenLogprob[] | undefined {
  const result = recordAt(candidate, 'logprobsResult')
  const chosen = result && recordsAt(result, 'chosenCandidates')
  if (chosen === undefined || chosen.length === 0) return undefined
  const likeliest = recordsAt(result ?? {}, 'topCandidates')
  return chosen.map((token, index) => ({
    ...readChance(token),
    top: recordsAt(likeliest[index] ?? {}, 'candidates').map(readChance),
  }))
}

function readChance({ token, logProbability }: JsonObject): Chance {
  return {
    token: typeof token === 'string' ? token : '',
    logprob: typeof logProbability === 'number' ? logProbability : 0,
  }
}

/** Members of a candidate or of its fragment; none if there are no log probabilities. */
export function writeTokenLogprobs(logprobs: readonly TokenLogprob[] | undefined): JsonObject {
  if (logprobs === undefined || logprobs.length === 0) return {}
  const sum = logprobs.reduce((total, { logprob }) => total + logprob, 0)
  return {
    avgLogprobs: sum / logprobs.length,
    logprobsResult: {
      chosenCandidates: logprobs.map(writeChance),
      topCandidates: logprobs.map(({ top }) => ({ candidates: top.map(writeChance) })),
    },
  }
}

function writeChance({ token, logprob }: Chance): JsonObject {
  return { token, logProbability: logprob }
}

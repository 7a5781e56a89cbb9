import type { MemberSource } from '../members/member-row.ts'

/** The order of turns that a model's template demands, whoever serves it. */
export interface TurnRule {
  readonly models: RegExp
  /** A turn of the model must stand between results of tools and the user's next turn. */
  readonly needsTurnAfterResults: boolean
  /** The last turn must be the user's or a result, unless it says `prefix: true`. */
  readonly refusesLastTurn: boolean
  readonly sources: readonly MemberSource[]
}

export const turnRules: readonly TurnRule[] = [
  {
    models: /(?:^|\/)(?:open-)?(?:mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral)/i,
    needsTurnAfterResults: true,
    refusesLastTurn: true,
    sources: [
      { url: 'https://github.com/NousResearch/hermes-agent/issues/20154', date: '2026-05-05' },
      { url: 'https://github.com/huggingface/smolagents/issues/757', date: '2025-02-23' },
    ],
  },
]

export function findTurnRule(model: string): TurnRule | undefined {
  return turnRules.find(({ models }) => models.test(model))
}

import type { CheckedMember } from './shape.ts'

/**
 * A name that is not simply passed on:
 * - `routes`: a row says that it is taken out.
 * - `chooses`: no row knows it, and by its words it chooses a model, an address or a key.
 * - `unknown`: no row knows it.
 */
export interface NameFinding {
  readonly kind: 'routes' | 'chooses' | 'unknown'
  /** Path of the member, such as `reasoning.model`. */
  readonly param: string
  /**
   * Where it occurs: pairs of the position of the name's opening quote and of the comma or bracket after the
   * value.
   */
  readonly ranges: number[]
}

/** A member that names a further model. What happens to it depends on the channels of the call. */
export interface NamingMember {
  readonly member: CheckedMember
  /** Member names and list indexes from the body to the member. */
  readonly path: readonly (string | number)[]
}

/** What a scan found among the member names of a body. */
export interface MemberFindings {
  readonly names: readonly NameFinding[]
  readonly naming: readonly NamingMember[]
}

/** What was done with the members of a body. */
export interface JudgedNames {
  /** Paths of the members that were taken out. */
  readonly taken: readonly string[]
  /** Paths of unknown members, whether they were taken out or passed. */
  readonly unknown: readonly string[]
  /** Members that name models, still in the body. */
  readonly naming: readonly NamingMember[]
}

import { namingMembers, routingMembers } from '@tollgate/catalogue/members/common-members'
import { composeRows } from '@tollgate/catalogue/members/define-rows'
import { ownContent, requestObjects } from '@tollgate/catalogue/members/request-objects'
import { invariant } from '@tollgate/kit/invariant'
import { CheckedShape } from './shape.ts'

/*
 * The shapes of all bodies, made from the catalogue's tables of members. A strict member has one accepted
 * spelling and may occur once, because it affects price, limits, routing, the word filter or the rejection of
 * the request, or because its text is counted as input. Nothing is judged inside schemas and arguments of
 * tools, metadata of conversations and texts, where callers may write what they like.
 */

const shapes = new Map<string, CheckedShape>()

/** The shape of an object type of the catalogue; made when it is first needed. */
export function findShape(object: string): CheckedShape {
  const cached = shapes.get(object)
  if (cached !== undefined) return cached
  const rows = requestObjects[object]
  invariant(rows !== undefined, `the catalogue describes ${object}`)
  const shape = new CheckedShape(rows, { findShape })
  shapes.set(object, shape)
  return shape
}

/** Inside a member that no row knows: only names that choose are looked for. */
export const unknownInside = new CheckedShape(
  composeRows(
    ownContent,
    routingMembers,
    namingMembers.map(({ name, source }) => ({ name, source, effect: 'routes' as const })),
  ),
  { findShape, isOpen: true },
)

import { problem, type Problem } from '@tollgate/problems/problem'

const CHARACTERS_SHOWN = 64

/** The Problem of a call that continues a response which neither the gateway nor the channel's vendor has. */
export function responseNotFound(id: string): Problem {
  return problem('previous_response_not_found', {
    id: id.slice(0, CHARACTERS_SHOWN),
    param: 'previous_response_id',
  })
}

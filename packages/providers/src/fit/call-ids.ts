import { shortenIds } from '@tollgate/catalogue/limits/shorten-text'
import { isWithinBounds, type LimitedWire, type StringBounds } from '@tollgate/catalogue/limits/string-limit'
import { isRecord, listAt, recordAt } from '@tollgate/dialects/json'
import type { Body } from '../quirks/body.ts'

/** Where a format keeps the ids of tool calls. Each change returns its argument when nothing changed. */
interface CallIdPlaces {
  /** The member with the turns. */
  readonly turns: 'messages' | 'input'
  readonly change: (turn: Body, changeId: IdChange) => Body
}

type IdChange = (id: string) => string

const places: Readonly<Record<LimitedWire, CallIdPlaces>> = {
  openai: {
    turns: 'messages',
    change: (turn, changeId) =>
      changeList(changeMember(turn, 'tool_call_id', changeId), 'tool_calls', (call) =>
        changeMember(call, 'id', changeId),
      ),
  },
  responses: { turns: 'input', change: (item, changeId) => changeMember(item, 'call_id', changeId) },
  messages: {
    turns: 'messages',
    change: (turn, changeId) => changeList(turn, 'content', (block) => changeBlock(block, changeId)),
  },
  converse: {
    turns: 'messages',
    change: (turn, changeId) =>
      changeList(turn, 'content', (block) =>
        ['toolUse', 'toolResult'].reduce((rest, name) => changeInside(rest, name, changeId), block),
      ),
  },
}

function changeBlock(block: Body, changeId: IdChange): Body {
  if (block['type'] === 'tool_use') return changeMember(block, 'id', changeId)
  return block['type'] === 'tool_result' ? changeMember(block, 'tool_use_id', changeId) : block
}

function changeInside(block: Body, name: string, changeId: IdChange): Body {
  const inner = recordAt(block, name)
  const changed = inner && changeMember(inner, 'toolUseId', changeId)
  return changed === inner ? block : { ...block, [name]: changed }
}

function changeMember(object: Body, name: string, changeId: IdChange): Body {
  const id = object[name]
  const changed = typeof id === 'string' ? changeId(id) : id
  return changed === id ? object : { ...object, [name]: changed }
}

function changeList(object: Body, name: string, change: (item: Body) => Body): Body {
  const list = listAt(object, name)
  const changed = list.map((item) => (isRecord(item) ? change(item) : item))
  return changed.some((item, at) => item !== list[at]) ? { ...object, [name]: changed } : object
}

export interface CallIdLimit {
  readonly wire: LimitedWire
  readonly bounds: StringBounds
}

/** Shortens the ids of tool calls and of their results alike; the body stays the same where all are taken. */
export function limitCallIds(body: Body, { wire, bounds }: CallIdLimit): Body {
  const { turns, change } = places[wire]
  const ids = new Set<string>()
  const noteId: IdChange = (id) => {
    ids.add(id)
    return id
  }
  changeList(body, turns, (turn) => change(turn, noteId))
  if ([...ids].every((id) => isWithinBounds(id, bounds))) return body
  const shortIds = shortenIds(ids, bounds)
  return changeList(body, turns, (turn) => change(turn, (id) => shortIds.get(id) ?? id))
}

import { composeRows, defineRows } from './define-rows.ts'
import type { MemberRow } from './member-row.ts'
import * as source from './member-sources.ts'
import { answeringObjects } from './objects/answering-members.ts'
import { fallbackMembers, insideMerged, mergedGoogle } from './objects/common-members.ts'
import { conversationObjects } from './objects/conversation-objects.ts'
import { geminiObjects } from './objects/gemini-objects.ts'
import { mediaObjects } from './objects/media-objects.ts'
import { messageObjects } from './objects/message-objects.ts'
import { reachingObjects } from './objects/reaching-objects.ts'
import { realtimeObjects } from './objects/realtime-objects.ts'
import { taskObjects } from './objects/task-objects.ts'
import { toolObjects } from './objects/tool-objects.ts'

const objects: Readonly<Record<string, readonly MemberRow[]>> = {
  ...conversationObjects,
  ...geminiObjects,
  ...mediaObjects,
  ...taskObjects,
  ...realtimeObjects,
  ...answeringObjects,
  ...messageObjects,
  ...toolObjects,
  ...reachingObjects,
  fallback: fallbackMembers,
  merged: insideMerged,
  'merged-google': mergedGoogle,
}

/**
 * The types of objects that requests consist of, each with its members. Bodies are named like their operation;
 * the rest stand inside another object.
 */
export const requestObjects: Readonly<Record<string, readonly MemberRow[]>> = Object.fromEntries(
  Object.entries(objects).map(([name, members]) => [name, composeRows(members)]),
)

/**
 * Members inside of which nothing is judged, even inside members that nobody knows: schemas, arguments,
 * metadata and texts are the caller's own.
 */
export const ownContent: readonly MemberRow[] = defineRows(
  'plain',
  source.TOLLGATE_API,
  `properties $defs definitions pattern_properties additional_properties items any_of one_of all_of schema
   json_schema input_schema output_schema parameters arguments args input output text content metadata labels
   messages contents user_metadata`,
)

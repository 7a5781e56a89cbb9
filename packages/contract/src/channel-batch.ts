import { z } from 'zod'
import { defineRefusedField } from './family-fields.ts'
import { switchedStatus, text, weightSchema, writableFields } from './channel-fields.ts'
import { selectedIds } from './query.ts'
import { defineRoute, nothing, siteWriting } from './route.ts'

/** Changes of many channels: those of a selection, of a tag, or all. */

const CHANNEL_IDS_MAX = 1000
const ids = selectedIds({ idsMax: CHANNEL_IDS_MAX, noneProblem: 'channel_ids_missing' })
const tag = z.object({ tag: text(64) })

export const channelBatchRoutes = {
  removeBatch: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/channel/batch',
    summary: 'Deletes the selected channels; returns their number',
    body: z.object({ ids }),
    data: z.int(),
  }),
  enableTag: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/channel/tag/enabled',
    summary: 'Enables every channel of a tag; returns their number',
    body: tag,
    data: z.int(),
  }),
  disableTag: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/channel/tag/disabled',
    summary: 'Disables every channel of a tag; returns their number',
    body: tag,
    data: z.int(),
  }),
  updateTag: defineRoute({
    ...siteWriting,
    method: 'PUT',
    path: '/api/channel/tag',
    summary: 'Changes every channel of a tag; an empty `new_tag` removes the tag; returns their number',
    body: tag.extend({
      new_tag: text(64).nullish(),
      models: writableFields.models.nullish(),
      groups: writableFields.group.nullish(),
      model_mapping: writableFields.model_mapping.optional(),
      priority: writableFields.priority.optional(),
      weight: weightSchema.optional(),
      param_override: defineRefusedField(),
      header_override: defineRefusedField(),
    }),
    data: z.int(),
  }),
  tagBatch: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/channel/batch/tag',
    summary: 'Sets the tag of the selected channels, or removes it with `null`; returns their number',
    body: z.object({ ids, tag: text(64).nullish() }),
    data: z.int(),
  }),
  statusBatch: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/channel/batch/status',
    summary: 'Enables or disables the selected channels; returns their number',
    body: z.object({ ids, status: switchedStatus }),
    data: z.int(),
  }),
  fix: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/channel/fix',
    summary: 'Reloads the channels in every process; returns their number',
    body: nothing,
    data: z.int(),
  }),
} as const

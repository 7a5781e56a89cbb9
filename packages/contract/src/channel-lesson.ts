import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { idParams } from './query.ts'
import { ANONYMOUS_BODY_BYTES_MAX, defineRoute, nothing } from './route.ts'

/**
 * What the gateway learned from an upstream's refusals about the models of a channel; each lesson expires by
 * itself.
 */

export const channelLessonSchema = z.object({
  /** The upstream's name for the model; "" for every model. */
  model: z.string(),
  /** A model trait and its value in the form of the channel setting `model_traits`: `refuses:temperature`. */
  lesson: z.string(),
  learned_time: unixSecondsSchema,
  ends_time: unixSecondsSchema,
})
export type ChannelLesson = z.infer<typeof channelLessonSchema>

const common = {
  access: 'admin',
  owner: 'site',
  rate: 'api',
  isBillable: false,
  signIn: 'any',
  params: idParams,
  query: nothing,
  body: nothing,
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
} as const

export const channelLessonRoutes = {
  list: defineRoute({
    ...common,
    method: 'GET',
    path: '/api/channel/:id/lessons',
    summary: 'Lessons learned from rejections of a channel’s models, newest first',
    changesState: false,
    data: z.array(channelLessonSchema),
  }),
  forget: defineRoute({
    ...common,
    method: 'DELETE',
    path: '/api/channel/:id/lessons',
    summary: 'Deletes the lessons of a channel; returns their number',
    changesState: true,
    data: z.int(),
  }),
} as const

import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { idParams } from './query.ts'
import { defineRoute, siteBodyless, siteReading } from './route.ts'

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

export const channelLessonRoutes = {
  list: defineRoute({
    ...siteReading,
    params: idParams,
    path: '/api/channel/:id/lessons',
    summary: 'Lessons learned from rejections of a channel’s models, newest first',
    data: z.array(channelLessonSchema),
  }),
  forget: defineRoute({
    ...siteBodyless,
    params: idParams,
    method: 'DELETE',
    path: '/api/channel/:id/lessons',
    summary: 'Deletes the lessons of a channel; returns their number',
    data: z.int(),
  }),
} as const

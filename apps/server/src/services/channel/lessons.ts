import type { channelLessonRoutes } from '@tollgate/contract/channel-lesson'
import type { Handler } from '../handler.ts'
import type { ChannelServices } from './services.ts'
import { storedChannel } from './stored-channel.ts'

export function listLessons(services: ChannelServices): Handler<typeof channelLessonRoutes.list> {
  return async ({ params }) => {
    const { id } = await storedChannel(services, params.id)
    const lessons = await services.routing.lessonsOf(id)
    return lessons
      .map(({ model, name, learnedMs, endsMs }) => ({
        model,
        lesson: name,
        learned_time: Math.floor(learnedMs / 1000),
        ends_time: Math.floor(endsMs / 1000),
      }))
      .toReversed()
  }
}

export function forgetLessons(services: ChannelServices): Handler<typeof channelLessonRoutes.forget> {
  const { audit, routing } = services
  return async (call) => {
    const { id } = await storedChannel(services, call.params.id)
    const { length: forgotten } = await routing.lessonsOf(id)
    await audit(call, { action: 'lessons', entity: 'channel', entityId: id, after: { forgotten } })
    await routing.forgetLessons(id)
    return forgotten
  }
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/contract/channel'
import { channelLessonRoutes } from '@tollgate/contract/channel-lesson'
import { Button } from 'antd'
import { Fragment } from 'react'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { Moment } from '../../../shared/format/moment.tsx'
import { dateTime } from '../../../shared/format/time.ts'
import { useLessonText } from '../../../shared/lessons/lesson-text.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { channelLessonMessages } from './i18n.ts'
import styles from './lessons.module.css'

const LOOK_EVERY_MS = 30_000

/**
 * Lists the changes that the gateway makes to requests for this channel because the upstream refused the
 * originals. Renders nothing if there are none.
 */
export function LessonsPanel({ channel }: { readonly channel: Pick<Channel, 'id' | 'name'> }) {
  const t = channelLessonMessages.use()
  const lessonText = useLessonText()
  const client = useQueryClient()
  const params = { id: channel.id }
  const queryKey = ['channel-lesson', channel.id]
  const { data: lessons = [] } = useQuery({
    queryKey,
    refetchInterval: LOOK_EVERY_MS,
    queryFn: ({ signal }) => api.call(channelLessonRoutes.list, { params, signal }),
  })
  if (lessons.length === 0) return null
  const forget = () =>
    confirm({
      title: t('resetTitle', { name: channel.name }),
      consequence: t('resetText'),
      confirmLabel: t('reset'),
      action: async () => {
        notifyDone(t('done', { count: await api.call(channelLessonRoutes.forget, { params }) }))
        await client.invalidateQueries({ queryKey })
      },
    })
  return (
    <section className={styles.panel} aria-label={t('title')}>
      <div className="line-12">
        <strong>{t('title')}</strong>
        <Button size="small" onClick={() => void forget()}>
          {t('reset')}
        </Button>
      </div>
      <span className="muted">{t('purpose')}</span>
      <dl className={styles.lessons}>
        {lessons.map(({ model, lesson, learned_time: learned, ends_time: ends }) => (
          <Fragment key={`${model} ${lesson}`}>
            <dt className={model === '' ? undefined : 'code'}>{model === '' ? t('everyModel') : model}</dt>
            <dd>{lessonText(lesson)}</dd>
            <dd className="muted" title={t('ends', { time: dateTime(ends) })}>
              {t('learned')} <Moment seconds={learned} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

import { Link } from '@tanstack/react-router'
import { Alert } from 'antd'
import { useState } from 'react'
import { paths } from '../../../shared/routing/paths.ts'
import { useIsAdmin } from '../../../shared/session/session.ts'
import { useStatus } from '../../../shared/session/status.ts'
import { useColumns } from '../../../shared/table/use-columns.ts'
import { useDrawings } from '../api.ts'
import { taskLogMessages } from '../i18n.ts'
import { drawingRange } from '../search.ts'
import { TaskList } from '../task-list.tsx'
import { type ShownText, TextDialog } from '../text-dialog.tsx'
import { useTaskSearch } from '../use-task-search.ts'
import { useDrawingColumns } from './columns.tsx'
import { ImageDialog, type ShownImage } from './image-dialog.tsx'
import styles from '../task-log.module.css'

const COLUMNS_KEY = 'drawings-table-columns'

/** The log of all drawings, with their progress and results. */
export function DrawingLog() {
  const isAdmin = useIsAdmin()
  const search = useTaskSearch(drawingRange)
  const [shown, setShown] = useState<ShownText>()
  const [image, setImage] = useState<ShownImage>()
  const columns = useColumns(COLUMNS_KEY, useDrawingColumns({ isAdmin, onShow: setShown, onImage: setImage }))
  return (
    <TaskList
      name="drawings"
      search={search}
      source={useDrawings({ isAdmin, ...search })}
      columns={columns}
      banner={isAdmin && <CallbackBanner />}
    >
      {shown && <TextDialog shown={shown} onClose={() => setShown(undefined)} />}
      {image && <ImageDialog image={image} onClose={() => setImage(undefined)} />}
    </TaskList>
  )
}

/** Says that callbacks are disabled; everything still works, but updates arrive later. */
function CallbackBanner() {
  const t = taskLogMessages.use()
  const { mj_notify_enabled: isOn } = useStatus()
  if (isOn) return null
  return (
    <Alert
      type="info"
      showIcon
      title={
        <>
          {t('callback.off')}{' '}
          <Link to={`${paths.settings}?tab=operation`} className={styles.bannerLink}>
            {t('callback.settings')}
          </Link>
        </>
      }
    />
  )
}

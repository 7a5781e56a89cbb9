import { Link } from '@tanstack/react-router'
import { Alert } from 'antd'
import { useState } from 'react'
import { Page } from '../../../shared/page/page.tsx'
import { PageHeader } from '../../../shared/page/page-header.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import { useIsAdmin } from '../../../shared/session/session.ts'
import { useStatus } from '../../../shared/session/status.ts'
import { ColumnSettingsButton } from '../../../shared/table/column-settings-button.tsx'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { useColumns } from '../../../shared/table/use-columns.ts'
import { useDrawings } from '../api.ts'
import { TaskFilterRow } from '../filters.tsx'
import { taskLogMessages } from '../i18n.ts'
import { activeFilters, drawingRange } from '../search.ts'
import { type ShownText, TextDialog } from '../text-dialog.tsx'
import { useTaskSearch } from '../use-task-search.ts'
import { useDrawingColumns } from './columns.tsx'
import { ImageDialog, type ShownImage } from './image-dialog.tsx'
import styles from '../task-log.module.css'

const COLUMNS_KEY = 'drawings-table-columns'

/** The log of all drawings, with their progress and results. */
export function DrawingLog() {
  const t = taskLogMessages.use()
  const isAdmin = useIsAdmin()
  const { filters, key, defaultRange, range, paging, find } = useTaskSearch(drawingRange)
  const list = useDrawings({ isAdmin, filters, range, page: paging.page, pageSize: paging.pageSize })
  const [shown, setShown] = useState<ShownText>()
  const [image, setImage] = useState<ShownImage>()
  const columns = useColumns(COLUMNS_KEY, useDrawingColumns({ isAdmin, onShow: setShown, onImage: setImage }))
  return (
    <Page>
      <PageHeader
        title={t('drawings.title')}
        purpose={t('drawings.purpose')}
        actions={<ColumnSettingsButton settings={columns} />}
      />
      {isAdmin && <CallbackBanner />}
      <TaskFilterRow
        key={key}
        initialValue={filters}
        defaultRange={defaultRange}
        isAdmin={isAdmin}
        onSearch={find}
      />
      <DataTable
        label={t('drawings.title')}
        source={list}
        columns={columns.visible}
        rowKey={(row) => row.id}
        paging={paging}
        empty={
          activeFilters(filters) > 0
            ? { title: t('empty.filtered'), text: t('empty.filteredText') }
            : { title: t('drawings.empty'), text: t('drawings.emptyText') }
        }
      />
      {shown && <TextDialog shown={shown} onClose={() => setShown(undefined)} />}
      {image && <ImageDialog image={image} onClose={() => setImage(undefined)} />}
    </Page>
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

import type { ChartState } from './chart.ts'
import type { Bundle } from './bundles.ts'
import type { Content } from './contents.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Area extends Point {
  readonly width: number
  readonly height: number
}

export interface StateBox extends Area {
  readonly state: ChartState
  readonly content: Content
}

export interface Label extends Area {
  readonly content: Content
}

export interface Edge extends Bundle {
  readonly points: readonly Point[]
  readonly label: Label
  /** Part of the path that a first reader should follow. */
  readonly main: boolean
}

/** A compound state's beginning: from the dot's centre to the state that is entered first. */
export interface Start {
  readonly dot: Point
  readonly points: readonly Point[]
}

/** A laid-out chart, in user units from the top left corner. */
export interface Drawing {
  readonly width: number
  readonly height: number
  /** Parents before their children; the chart's root, which is the whole drawing, comes first. */
  readonly boxes: readonly StateBox[]
  readonly starts: readonly Start[]
  readonly edges: readonly Edge[]
}

/** Free space around what a compound state holds. */
export const margin = 28
export const dotSize = 12
export const historySize = 32

/** Whether two areas share more than an edge. */
export function overlap(a: Area, b: Area): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Whole numbers: another engine's last digit must not change a committed file. */
export function rounded({ width, height, boxes, starts, edges }: Drawing): Drawing {
  return {
    width: Math.round(width),
    height: Math.round(height),
    boxes: boxes.map((box) => ({ ...box, ...roundedArea(box) })),
    starts: starts.map(({ dot, points }) => ({ dot: roundedPoint(dot), points: points.map(roundedPoint) })),
    edges: edges.map((edge) => ({
      ...edge,
      points: edge.points.map(roundedPoint),
      label: { ...edge.label, ...roundedArea(edge.label) },
    })),
  }
}

function roundedPoint({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) }
}

function roundedArea(area: Area): Area {
  return { ...roundedPoint(area), width: Math.round(area.width), height: Math.round(area.height) }
}

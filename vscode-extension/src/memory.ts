/** What the server answers to `pypto/memory` (docs/memory.md), and the tree that is shown of it. */

export interface Place {
  readonly uri: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Tile {
  readonly name: string;
  readonly bytes: number;
  readonly text: string;
  readonly location: Place | null;
  readonly lastUse: Place | null;
}

export interface Space {
  readonly space: string;
  readonly needed: number;
  readonly limit: number;
  readonly ring: number;
  readonly tiles: readonly Tile[];
  readonly buffers: readonly Tile[];
}

export interface Kernel {
  readonly unit: string;
  readonly name: string;
  readonly lane: string;
  readonly complete: boolean;
  readonly location: Place | null;
  readonly spaces: readonly Space[];
}

export interface MemoryUse {
  readonly target: string;
  readonly kernels: readonly Kernel[];
}

/** A line of the tree. `over` marks a space whose limit is exceeded; `place` is opened when the line is chosen. */
export interface Line {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly over: boolean;
  readonly place?: Place;
  readonly children: readonly Line[];
}

/** The accumulator's tiles are cut to size by the compiler, so that more than fits is no fault there. */
const CUT = "Acc";

export function memoryLines(use: MemoryUse): Line[] {
  return use.kernels.map((kernel) => ({
    label: kernel.name,
    description: `${kernel.unit}, ${kernel.lane}${kernel.complete ? "" : ", and tiles of unknown size"}`,
    tooltip: `At least what ${kernel.name} needs on ${use.target}`,
    over: kernel.spaces.some(exceeds),
    place: kernel.location ?? undefined,
    children: kernel.spaces.map(spaceLine),
  }));
}

function exceeds(space: Space): boolean {
  return space.needed > space.limit && space.space !== CUT;
}

function spaceLine(space: Space): Line {
  const ring = space.ring ? [line("exchange between the cores", bytes(space.ring))] : [];
  return {
    label: space.space,
    description: `${bytes(space.needed)} of ${bytes(space.limit)} (${((100 * space.needed) / space.limit).toFixed(1)} %)`,
    tooltip: `${space.needed} of ${space.limit} bytes`,
    over: exceeds(space),
    children: [...ring, ...space.buffers.map(tileLine)],
  };
}

function tileLine(tile: Tile): Line {
  return line(tile.text || tile.name, `${bytes(tile.bytes)}${liveRange(tile)}`, tile.location ?? undefined);
}

function liveRange(tile: Tile): string {
  if (!tile.location || !tile.lastUse || tile.location.uri !== tile.lastUse.uri) {
    return "";
  }
  const [first, last] = [tile.location.range.start.line + 1, tile.lastUse.range.start.line + 1];
  return first === last ? `, line ${first}` : `, lines ${first} to ${last}`;
}

function line(label: string, description: string, place?: Place): Line {
  return { label, description, tooltip: `${label}: ${description}`, over: false, place, children: [] };
}

/** Whole KiB as such, everything else in bytes. */
export function bytes(count: number): string {
  return count >= 1024 && count % 1024 === 0 ? `${count / 1024} KiB` : `${count} B`;
}

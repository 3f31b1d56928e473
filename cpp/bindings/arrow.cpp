// SPDX-License-Identifier: MIT
// Rows of a structured array as an Arrow C stream: each column is copied once, into memory that the reader then owns.
// https://arrow.apache.org/docs/format/CStreamInterface.html
#include "arrow.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

extern "C" {

// The three structures of the interface, with its names and layout.
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}

namespace tilery::bindings {
namespace {

constexpr std::int64_t kRowsOfBatch = 1 << 20;
constexpr std::int64_t kRowsInCache = 1 << 12;  // copied column by column before going on, so that rows are read once

struct Column {
    std::string name;
    std::string format;  // of one value, in Arrow's letters
    std::size_t offset;  // in the row, in bytes
    std::size_t width;
};

struct Rows {
    explicit Rows(py::buffer_info buffer)
        : held(std::move(buffer)),
          data(static_cast<const std::byte*>(held.ptr)),
          count(held.shape[0]),
          stride(static_cast<std::size_t>(held.shape[1])) {}

    py::buffer_info held;
    const std::byte* data;
    std::int64_t count;
    std::size_t stride;
};

struct Source {
    std::vector<Column> columns;
    std::vector<Rows> arrays;
    std::size_t array = 0;
    std::int64_t row = 0;
};

// What a schema or an array owns. A reader may move a child out and release its parent first, so each owns its own.
template <class Structure>
struct Memory {
    std::vector<Structure> children;
    std::vector<Structure*> pointers;

    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() {
        for (Structure& child : children) {
            if (child.release != nullptr) child.release(&child);
        }
    }
    void reserve(std::size_t count) {
        children.reserve(count);
        pointers.reserve(count);
    }
    void add(const Structure& child) { pointers.push_back(&children.emplace_back(child)); }  // room was reserved
};

struct SchemaMemory : Memory<ArrowSchema> {
    std::string format, name;
};

struct ArrayMemory : Memory<ArrowArray> {
    std::unique_ptr<std::byte[]> values;
    const void* buffers[2] = {nullptr, nullptr};  // the first would say which values are missing: none are
};

template <class Structure, class Owned>
[[nodiscard]] Structure owning(std::unique_ptr<Owned> memory) {
    Structure made{};
    made.n_children = static_cast<std::int64_t>(memory->children.size());
    made.children = memory->pointers.data();
    made.release = [](Structure* structure) {
        delete static_cast<Owned*>(structure->private_data);
        structure->release = nullptr;
    };
    made.private_data = memory.release();
    return made;
}

[[nodiscard]] ArrowSchema schema_of(std::unique_ptr<SchemaMemory> memory, std::string format, std::string name) {
    memory->format = std::move(format);
    memory->name = std::move(name);
    const SchemaMemory& kept = *memory;
    ArrowSchema made = owning<ArrowSchema>(std::move(memory));
    made.format = kept.format.c_str();
    made.name = kept.name.c_str();
    return made;
}

[[nodiscard]] ArrowArray array_of(std::unique_ptr<ArrayMemory> memory, std::int64_t length, std::int64_t buffers) {
    const void** const pointers = memory->buffers;
    ArrowArray made = owning<ArrowArray>(std::move(memory));
    made.length = length;
    made.n_buffers = buffers;
    made.buffers = pointers;
    return made;
}

template <std::size_t Width>
void copy_values(std::byte* to, const std::byte* from, std::size_t stride, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i, to += Width, from += stride) std::memcpy(to, from, Width);
}

void copy_column(std::byte* to, const std::byte* from, const Column& column, std::size_t stride, std::int64_t count) {
    switch (column.width) {
        case 1:
            return copy_values<1>(to, from, stride, count);
        case 4:
            return copy_values<4>(to, from, stride, count);
        default:
            return copy_values<8>(to, from, stride, count);
    }
}

// The rows [from, from + count), a column of them for each child.
[[nodiscard]] ArrowArray batch_of(const std::vector<Column>& columns, const Rows& rows, std::int64_t from,
                                  std::int64_t count) {
    auto whole = std::make_unique<ArrayMemory>();
    whole->reserve(columns.size());
    std::vector<std::unique_ptr<ArrayMemory>> parts;
    for (const Column& column : columns) {
        auto& part = parts.emplace_back(std::make_unique<ArrayMemory>());
        part->values.reset(new std::byte[static_cast<std::size_t>(count) * column.width]);
    }
    for (std::int64_t done = 0; done < count; done += kRowsInCache) {
        const std::int64_t some = std::min(kRowsInCache, count - done);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::byte* const first = rows.data + static_cast<std::size_t>(from + done) * rows.stride;
            copy_column(parts[i]->values.get() + static_cast<std::size_t>(done) * columns[i].width,
                        first + columns[i].offset, columns[i], rows.stride, some);
        }
    }
    for (auto& part : parts) {
        part->buffers[1] = part->values.get();
        whole->add(array_of(std::move(part), count, 2));
    }
    return array_of(std::move(whole), count, 1);
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) try {
    const std::vector<Column>& columns = static_cast<Source*>(stream->private_data)->columns;
    auto whole = std::make_unique<SchemaMemory>();
    whole->reserve(columns.size());
    for (const Column& column : columns) {
        whole->add(schema_of(std::make_unique<SchemaMemory>(), column.format, column.name));
    }
    *out = schema_of(std::move(whole), "+s", "");
    return 0;
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) try {
    Source& source = *static_cast<Source*>(stream->private_data);
    while (source.array < source.arrays.size() && source.row == source.arrays[source.array].count) {
        ++source.array;
        source.row = 0;
    }
    *out = ArrowArray{};  // released: the end of the stream
    if (source.array == source.arrays.size()) return 0;
    const Rows& rows = source.arrays[source.array];
    const std::int64_t count = std::min(kRowsOfBatch, rows.count - source.row);
    *out = batch_of(source.columns, rows, source.row, count);
    source.row += count;
    return 0;
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

const char* get_last_error(ArrowArrayStream*) { return "out of memory"; }

void release_stream(ArrowArrayStream* stream) {
    stream->release = nullptr;
    if (Py_IsInitialized() == 0) return;  // the arrays are gone with the interpreter
    const py::gil_scoped_acquire gil;
    delete static_cast<Source*>(stream->private_data);
}

void delete_stream(PyObject* capsule) {
    auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
    if (stream->release != nullptr) stream->release(stream);
    delete stream;
}

// Copies read whole rows by their address, so that any other layout would be read past its end.
[[nodiscard]] Rows rows_of(const py::buffer& array, std::size_t number) {
    py::buffer_info rows = array.request();
    const bool bytes = rows.ndim == 2 && rows.item_type_is_equivalent_to<std::uint8_t>();
    // Where there is one item at most, the stride may be anything.
    if (!bytes || (rows.shape[0] > 1 && rows.strides[0] != rows.shape[1]) ||
        (rows.shape[1] > 1 && rows.strides[1] != 1)) {
        throw py::value_error("arrays[" + std::to_string(number) +
                              "] must be uint8 of shape [n, bytes of a row], in C order");
    }
    return Rows(std::move(rows));
}

// The bytes of a value; 0 for formats that results do not have.
[[nodiscard]] int width_of(std::string_view format) {
    if (format == "C") return 1;  // uint8
    if (format == "i") return 4;  // int32
    if (format == "g") return 8;  // float64
    return 0;
}

using Described = std::tuple<py::str, py::str, int, int>;

[[nodiscard]] Column column_of(const Described& described, const std::vector<Rows>& arrays) {
    const std::string name = std::get<0>(described), format = std::get<1>(described);
    const int offset = std::get<2>(described), width = std::get<3>(described);
    // Readers take the width from the format.
    if (width == 0 || width != width_of(format)) {
        throw py::value_error("columns: " + name + " must be C of width 1, i of width 4 or g of width 8, got format " +
                              format + " and width " + std::to_string(width));
    }
    for (const Rows& rows : arrays) {
        if (offset < 0 || static_cast<std::size_t>(offset) + static_cast<std::size_t>(width) > rows.stride) {
            throw py::value_error("columns: " + name + " must be in a row of " + std::to_string(rows.stride) +
                                  " bytes, got offset " + std::to_string(offset) + " and width " +
                                  std::to_string(width));
        }
    }
    return {name, format, static_cast<std::size_t>(offset), static_cast<std::size_t>(width)};
}

py::object stream(const std::vector<py::buffer>& arrays, const std::vector<Described>& columns) {
    auto source = std::make_unique<Source>();
    for (const py::buffer& array : arrays) {
        source->arrays.push_back(rows_of(array, source->arrays.size()));
    }
    for (const Described& described : columns) {
        source->columns.push_back(column_of(described, source->arrays));
    }
    const ArrowArrayStream opened{get_schema, get_next, get_last_error, release_stream, source.get()};
    auto made = std::make_unique<ArrowArrayStream>(opened);
    PyObject* const capsule = PyCapsule_New(made.get(), "arrow_array_stream", delete_stream);
    if (capsule == nullptr) throw py::error_already_set();
    static_cast<void>(source.release());
    static_cast<void>(made.release());
    return py::reinterpret_steal<py::object>(capsule);
}

}  // namespace

void bind_arrow(py::module_& module) {
    module.def("arrow_stream", &stream, py::arg("arrays"), py::arg("columns"),
               "A capsule arrow_array_stream of the rows of arrays, uint8[n, bytes of a row], in batches.\n\n"
               "columns: (name, Arrow format, offset in the row, width: 1, 4 or 8) of each. Raises ValueError for\n"
               "arrays of another layout and for columns that are not within a row.");
}

}  // namespace tilery::bindings
